/** The list of plies beside the board. */

export class MoveList {
  /**
   * @param {HTMLElement} host where the list stands; what the server put there is replaced
   * @param {(ply: number) => string} address gives the link of a ply
   */
  constructor(host, address) {
    this.host = host;
    this.address = address;
    this.links = [];
    this.current = null;
    this.reachable = null;
  }

  /** Show the plies of a replay document. */
  fill(steps) {
    this.links = [];
    this.current = null;
    this.reachable = null;
    const list = document.createElement("ol");
    list.className = "moves-list";
    list.append(...steps.map((step, index) => this.#item(step, index + 1)));
    this.host.replaceChildren(list);
  }

  /** Add the plies of a game that goes on. */
  add(steps) {
    const before = this.links.length;
    this.host.firstElementChild.append(...steps.map((step, index) => this.#item(step, before + index + 1)));
  }

  /** Point at the present ply and bring it into the list's own window, never scrolling the page. */
  show(ply) {
    const hadFocus = this.host.contains(document.activeElement) && document.activeElement !== this.host;
    this.current?.removeAttribute("aria-current");
    this.#reach(this.links[Math.max(0, ply - 1)], { focus: hadFocus });
    this.current = this.links[ply - 1] ?? null;
    if (!this.current) {
      this.host.scrollTop = 0;
      return;
    }
    this.current.setAttribute("aria-current", "step");
    const box = this.host.getBoundingClientRect();
    const here = this.current.getBoundingClientRect();
    if (here.top < box.top || here.bottom > box.bottom) {
      this.host.scrollTop += here.top - box.top - box.height / 2;
    }
  }

  /** Keep one link in the order of Tab: hundreds would lie between the board and what follows it. */
  #reach(link, { focus }) {
    if (this.reachable) this.reachable.tabIndex = -1;
    this.reachable = link ?? null;
    if (!link) return;
    link.tabIndex = 0;
    if (focus) link.focus({ preventScroll: true });
  }

  #item(step, ply) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = this.address(ply);
    link.dataset.ply = String(ply);
    link.tabIndex = -1;
    link.className = `move move-${step.event}`;
    link.title = step.say;
    const number = document.createElement("span");
    number.className = "move-ply";
    number.textContent = String(ply);
    const seat = document.createElement("span");
    seat.className = `seat seat-${step.seat}`;
    link.append(number, seat, document.createTextNode(step.text));
    item.append(link);
    this.links.push(link);
    return item;
  }
}
