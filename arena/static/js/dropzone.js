/**
 * Drag and drop for a file field, which also says before sending that a file is too large: sending all
 * of it would take long and end in a refusal. Without this file the field works as it is.
 */

const MIB = 1024 * 1024;

for (const zone of document.querySelectorAll("[data-dropzone]")) {
  const input = zone.querySelector("input[type=file]");
  const chosen = zone.querySelector("[data-chosen]");
  const problem = zone.querySelector("[data-problem]");
  let depth = 0;

  const show = () => {
    const file = input.files[0];
    chosen.textContent = file ? `${file.name} · ${sizeOf(file)}` : "";
    const tooLarge = file !== undefined && file.size > Number(zone.dataset.mostBytes);
    problem.hidden = !tooLarge;
    problem.textContent = tooLarge ? zone.dataset.tooLarge.replace("{size}", sizeOf(file)) : "";
    if (tooLarge) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    return !tooLarge;
  };
  const mark = (change) => {
    depth = Math.max(0, depth + change);
    zone.classList.toggle("is-over", depth > 0);
  };

  zone.querySelector("[data-hint]").hidden = false;
  zone.addEventListener("dragenter", () => mark(1));
  zone.addEventListener("dragleave", () => mark(-1));
  zone.addEventListener("dragover", (event) => event.preventDefault());
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    mark(-depth);
    if (event.dataTransfer.files.length > 0) input.files = event.dataTransfer.files;
    show();
  });
  input.addEventListener("change", show);
  input.form.addEventListener("submit", (event) => {
    if (show()) return;
    event.preventDefault();
    input.focus();
  });
  if (input.files.length > 0) show();
}

function sizeOf({ size }) {
  return size < MIB ? `${Math.ceil(size / 1024)} KiB` : `${(size / MIB).toFixed(1)} MiB`;
}
