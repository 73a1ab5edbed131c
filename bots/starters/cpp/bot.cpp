// A first bot: any legal action of any variant. Replace the dice by a thought.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <variant>

#include "json.hpp"
#include "protocol.hpp"

using Dice = std::mt19937_64;

// Set up: shuffle the army over its places, or put some of the hand into the line. It does so for
// every game, from the JSON; your game has its view as a type, protocol::View.
static std::string deploy(const Json &view, Dice &dice) {
    std::string ranks;
    std::size_t places = 0;
    if (const Json *army = view.find("army")) {  // how many there are of each rank
        if (const Json *garrison = army->find("garrison"))  // in siege, one of three armies
            army = garrison;
        for (std::size_t index = 0; index < army->keys.size(); index++)
            ranks.append(static_cast<std::size_t>(army->items[index].number), army->keys[index][0]);
        places = ranks.size();
    } else {  // cards
        const Json &seat = view["seats"][view["observer"].text];
        for (const Json &card : seat["hand"].items)
            ranks += card.text;
        places = seat["line"].items.size();
    }
    std::shuffle(ranks.begin(), ranks.end(), dice);
    return ranks.substr(0, places);
}

int main() {
    Dice dice;
    std::string line;
    while (std::getline(std::cin, line)) {
        const Json json = Json::read(line);
        const protocol::Message message = protocol::read(json);
        if (const auto *start = std::get_if<protocol::Start>(&message)) {
            dice.seed(static_cast<std::uint64_t>(start->rng_seed));
            std::cout << R"({"type":"ready"})" << std::endl;
        } else if (const auto *act = std::get_if<protocol::Act>(&message)) {
            const auto &legal = act->legal;  // missing where there are too many to list
            const std::string action =
                legal ? (*legal)[dice() % legal->size()] : deploy(json["view"], dice);
            std::cout << R"({"action":")" << action << R"("})" << std::endl;
        }
    }
}
