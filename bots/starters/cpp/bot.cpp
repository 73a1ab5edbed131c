// A first bot: any legal action of any variant. Copy the folder and replace the dice by a thought.
//
// It searches each line for what it needs instead of reading all of the JSON. That is sound: the arena
// writes no spaces between the parts of a line, and actions and ranks consist of letters, digits and
// signs that JSON never escapes, so a text ends at the next quotation mark.
#include <algorithm>
#include <iostream>
#include <random>
#include <string>
#include <vector>

constexpr std::size_t cards_in_line = 5;
std::mt19937_64 dice;

// What stands between `mark` and the next `end`; nothing where there is no mark.
std::string between(const std::string &line, const std::string &mark, const std::string &end) {
    const auto found = line.find(mark);
    if (found == std::string::npos)
        return "";
    const auto start = found + mark.size();
    return line.substr(start, line.find(end, start) - start);
}

std::vector<std::string> split(std::string list, const std::string &separator) {
    std::vector<std::string> parts;
    for (auto cut = list.find(separator); cut != std::string::npos; cut = list.find(separator)) {
        parts.push_back(list.substr(0, cut));
        list.erase(0, cut + separator.size());
    }
    if (!list.empty())
        parts.push_back(list);
    return parts;
}

// Set-ups are too many to be listed: shuffle the army over its places, or some of the hand.
std::string deployment(const std::string &line) {
    const auto hand = split(between(line, R"("hand":[")", R"("])"), R"(",")"); // at cards; the other hand is all null
    auto army = between(line, R"("garrison":{")", "}");                        // in a siege, one of several
    if (army.empty())
        army = between(line, R"("army":{")", "}");
    std::string ranks;
    for (const auto &part : split(army, R"(,")")) // such as B":6
        ranks.append(std::stoul(part.substr(3)), part[0]);
    for (const auto &card : hand)
        ranks += card;
    std::shuffle(ranks.begin(), ranks.end(), dice);
    return hand.empty() ? ranks : ranks.substr(0, cards_in_line);
}

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        if (line.find(R"("type":"start")") != std::string::npos) {
            dice.seed(std::stoull(between(line, R"("rng_seed":)", ",")));
            std::cout << R"({"type":"ready"})" << std::endl;
        } else if (line.find(R"("type":"act")") != std::string::npos) {
            const auto legal = split(between(line, R"("legal":[")", R"("])"), R"(",")");
            const auto action = legal.empty() ? deployment(line) : legal[dice() % legal.size()];
            std::cout << R"({"action":")" << action << R"("})" << std::endl;
        }
    }
}
