// Random duels in ygopro-core, one process, one core: play DECK GAMES SEED. Prints one line of JSON. It draws as
// play.mjs draws, number for number, so that both play the same duels.
#include "ocgapi.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

enum Message : uint8_t {
    RETRY = 1, WIN = 5, SELECT_BATTLECMD = 10, SELECT_IDLECMD = 11, SELECT_EFFECTYN = 12, SELECT_YESNO = 13,
    SELECT_OPTION = 14, SELECT_CARD = 15, SELECT_CHAIN = 16, SELECT_PLACE = 18, SELECT_POSITION = 19,
    SELECT_TRIBUTE = 20, SORT_CHAIN = 21, SELECT_DISFIELD = 24, SORT_CARD = 25, SELECT_UNSELECT_CARD = 26,
    NEW_TURN = 40,
};
constexpr uint64_t MASTER_RULE_5 = 190464;

struct Card {
    int copies;
    OCG_CardData data;
};

std::vector<Card> deck;
std::string scripts;
uint32_t number;

uint32_t below(uint32_t n) {
    // Xorshift, 32 bits.
    number ^= number << 13;
    number ^= number >> 17;
    number ^= number << 5;
    return number % n;
}

std::vector<uint32_t> shuffled(uint32_t n) {
    std::vector<uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    for (uint32_t at = n; at-- > 1;) std::swap(order[at], order[below(at + 1)]);
    return order;
}

// A line for each card of the database: number, type, attack, defense, level, race, attribute.
std::map<uint32_t, OCG_CardData> read_cards(const std::string& path) {
    static uint16_t no_sets[] = {0};
    std::map<uint32_t, OCG_CardData> cards;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        OCG_CardData data{};
        words >> data.code >> data.type >> data.attack >> data.defense >> data.level >> data.race >> data.attribute;
        data.setcodes = no_sets;
        if (words) cards[data.code] = data;
    }
    return cards;
}

void read_deck(const char* path, const std::map<uint32_t, OCG_CardData>& cards) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        int copies;
        uint32_t code;
        if (!(words >> copies >> code)) continue;
        auto card = cards.find(code);
        if (card == cards.end()) throw std::runtime_error("cards.txt has no card " + std::to_string(code));
        deck.push_back({copies, card->second});
    }
    if (deck.empty()) throw std::runtime_error("no deck");
}

const std::string& script(const std::string& name) {
    static std::map<std::string, std::string> kept;
    auto [at, is_new] = kept.try_emplace(name);
    if (is_new) {
        std::ifstream file(scripts + name);
        if (!file) file.open(scripts + "official/" + name);
        std::ostringstream text;
        if (file) text << file.rdbuf();
        at->second = text.str();
    }
    return at->second;
}

int load(OCG_Duel duel, const char* name) {
    const auto& text = script(name);
    return text.empty() ? 0 : OCG_LoadScript(duel, text.data(), text.size(), name);
}

// What a message asks, read byte after byte.
struct Ask {
    const uint8_t* at;

    template <class T> T take() {
        T value;
        std::memcpy(&value, at, sizeof value);
        at += sizeof value;
        return value;
    }
    uint32_t byte() { return take<uint8_t>(); }
    uint32_t word() { return take<uint32_t>(); }
};

struct Answer {
    std::string bytes;

    template <class T> void put(T value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
};

// All that a player may do in a phase: lists of cards, each entry so many bytes, then whether the phase may end by
// going to the next one or to the end.
int32_t in_phase(Ask& ask, std::initializer_list<uint32_t> widths) {
    std::vector<int32_t> all;
    int32_t action = 0;
    for (uint32_t width : widths) {
        uint32_t count = ask.word();
        for (uint32_t index = 0; index < count; index += 1) all.push_back(action | int32_t(index) << 16);
        ask.at += count * width;
        action += 1;
    }
    for (int phase = 0; phase < 2; phase += 1, action += 1) {
        if (ask.byte()) all.push_back(action);
    }
    return all[below(all.size())];
}

void some(Ask& ask, Answer& answer) {
    bool can_cancel = ask.byte();
    uint32_t least = ask.word(), most = ask.word(), cards = ask.word();
    // To call it off is one answer among as many as there are cards.
    if (can_cancel && below(cards + 1) == 0) return answer.put<int32_t>(-1);
    auto order = shuffled(cards);
    order.resize(least + below(std::min(most, cards) - least + 1));
    answer.put<int32_t>(0);
    answer.put<int32_t>(order.size());
    for (uint32_t card : order) answer.put<int32_t>(card);
}

void places(Ask& ask, Answer& answer, uint8_t player) {
    uint32_t count = ask.byte(), taken = ask.word();
    std::vector<int> free;
    for (int bit = 0; bit < 32; bit += 1) {
        if (!(taken >> bit & 1)) free.push_back(bit);
    }
    auto order = shuffled(free.size());
    // Of each player eight bits for the monsters, eight for the rest.
    for (uint32_t at = 0; at < count && at < order.size(); at += 1) {
        int bit = free[order[at]];
        answer.put<uint8_t>(bit < 16 ? player : 1 - player);
        answer.put<uint8_t>(bit & 8 ? 8 : 4);
        answer.put<uint8_t>(bit & 7);
    }
}

// Gives one of the answers, and says whether there was anything to decide.
bool respond(Ask ask, Answer& answer) {
    uint32_t type = ask.byte(), player = ask.byte();
    switch (type) {
    case SELECT_IDLECMD:
        answer.put(in_phase(ask, {10, 10, 7, 10, 10, 19}));
        return true;
    case SELECT_BATTLECMD:
        answer.put(in_phase(ask, {19, 8}));
        return true;
    case SELECT_EFFECTYN:
    case SELECT_YESNO:
        answer.put<int32_t>(below(2));
        return true;
    case SELECT_OPTION:
        answer.put<int32_t>(below(ask.byte()));
        return true;
    case SELECT_CARD:
    case SELECT_TRIBUTE:
        some(ask, answer);
        return true;
    case SELECT_UNSELECT_CARD: {
        bool can_stop = ask.byte() | ask.byte();
        ask.at += 8;
        uint32_t cards = ask.word();
        ask.at += cards * 14;
        cards += ask.word();
        uint32_t index = below(cards + can_stop);
        if (index == cards) answer.put<int32_t>(-1);
        else answer.put<int32_t>(1), answer.put<int32_t>(index);
        return true;
    }
    case SELECT_CHAIN: {
        ask.byte();
        bool forced = ask.byte();
        ask.at += 8;
        uint32_t cards = ask.word(), index = below(cards + !forced);
        answer.put<int32_t>(index < cards ? index : -1);
        // Nothing to chain is no decision: a player is not shown it.
        return cards > 0;
    }
    case SELECT_PLACE:
    case SELECT_DISFIELD:
        places(ask, answer, player);
        return true;
    case SELECT_POSITION: {
        ask.word();
        uint32_t open = ask.byte();
        std::vector<int32_t> all;
        for (int32_t position : {1, 2, 4, 8}) {
            if (open & position) all.push_back(position);
        }
        answer.put(all[below(all.size())]);
        return true;
    }
    case SORT_CARD:
    case SORT_CHAIN: {
        auto order = shuffled(ask.word());
        answer.put<uint8_t>(order.size());
        for (uint32_t card : order) answer.put<uint8_t>(card);
        return true;
    }
    default:
        throw std::runtime_error("no answer to message " + std::to_string(type));
    }
}

OCG_Duel begin_duel() {
    OCG_DuelOptions options{};
    for (auto& part : options.seed) part = 1 + below(1u << 31);
    options.flags = MASTER_RULE_5;
    options.team1 = options.team2 = {8000, 5, 1};
    options.cardReader = [](void*, uint32_t code, OCG_CardData* data) {
        *data = {};
        for (const auto& card : deck) {
            if (card.data.code == code) *data = card.data;
        }
    };
    options.cardReaderDone = [](void*, OCG_CardData*) {};
    options.scriptReader = [](void*, OCG_Duel duel, const char* name) { return load(duel, name); };
    options.logHandler = [](void*, const char* text, int) {
        std::fprintf(stderr, "%s\n", text);
        std::exit(1);
    };
    options.enableUnsafeLibraries = 1;
    OCG_Duel duel;
    if (OCG_CreateDuel(&duel, &options) != OCG_DUEL_CREATION_SUCCESS) throw std::runtime_error("no duel");
    load(duel, "constant.lua");
    load(duel, "utility.lua");
    for (uint8_t team : {0, 1}) {
        for (const auto& card : deck) {
            OCG_NewCardInfo info{team, 0, card.data.code, team, 1, 2, 8};
            for (int copy = 0; copy < card.copies; copy += 1) OCG_DuelNewCard(duel, &info);
        }
    }
    return duel;
}

// Who won and why, and after how many turns.
std::string play(OCG_Duel duel, long& decisions) {
    OCG_StartDuel(duel);
    std::string result;
    int turns = 0;
    // Who won is a message; the core would let the loser play on.
    while (result.empty()) {
        int status = OCG_DuelProcess(duel);
        uint32_t length;
        auto at = static_cast<const uint8_t*>(OCG_DuelGetMessage(duel, &length));
        const uint8_t* last = nullptr;
        for (auto end = at + length; at < end;) {
            uint32_t size;
            std::memcpy(&size, at, sizeof size);
            last = at + sizeof size;
            if (*last == RETRY) throw std::runtime_error("it did not take the answer");
            if (*last == NEW_TURN) turns += 1;
            if (*last == WIN) result = std::to_string(last[1]) + " " + std::to_string(last[2]);
            at = last + size;
        }
        if (!result.empty() || status != OCG_DUEL_STATUS_AWAITING) continue;
        Answer answer;
        decisions += respond({last}, answer);
        OCG_DuelSetResponse(duel, answer.bytes.data(), answer.bytes.size());
    }
    return result + " " + std::to_string(turns);
}

double cpu() {
    timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return used.tv_sec + used.tv_nsec / 1e9;
}

}  // namespace

int main(int count, char** words) try {
    if (count != 4) throw std::runtime_error("play DECK GAMES SEED");
    const char* place = std::getenv("PEERS_YGOPRO");
    std::string home = place ? place : ".";
    read_deck(words[1], read_cards(home + "/cards.txt"));
    int games = std::atoi(words[2]);
    number = std::atoi(words[3]) | 1;
    scripts = home + "/CardScripts/";

    long decisions = 0;
    double seconds = 0;
    uint64_t hash = 0xcbf29ce484222325;
    // A quarter more before, unmeasured, as for play.mjs.
    for (int game = -(games / 4); game < games; game += 1) {
        if (game == 0) seconds = decisions = 0;
        OCG_Duel duel = begin_duel();
        // The library of scripts is read by now: the clock is for the game alone.
        double begin = cpu();
        auto result = play(duel, decisions);
        seconds += cpu() - begin;
        OCG_DestroyDuel(duel);
        if (game < 0) continue;
        // FNV-1a.
        for (uint8_t byte : result + " " + std::to_string(decisions) + ";") hash = (hash ^ byte) * 0x100000001b3;
    }
    std::printf("{\"games\": %d, \"decisions\": %ld, \"cpu_seconds\": %.6f, \"hash\": \"%016llx\"}\n", games, decisions,
        seconds, static_cast<unsigned long long>(hash));
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
