import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Random;

/** A first bot: any legal action of any variant. Replace the dice by a thought. */
public class Bot {
    private static final Random DICE = new Random();

    public static void main(String[] arguments) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            var json = Json.read(line);
            var message = Protocol.read(json); // an End needs no answer
            if (message instanceof Protocol.Start start) {
                DICE.setSeed(start.rng_seed());
                System.out.println("{\"type\":\"ready\"}");
            } else if (message instanceof Protocol.Act act) {
                var legal = act.legal(); // null where there are too many to list
                var action = legal == null ? deployment(json.get("view")) : legal.get(DICE.nextInt(legal.size()));
                System.out.println("{\"action\":\"" + action + "\"}");
            }
        }
    }

    /**
     * Shuffle the army over its places, or put some of the hand into the line. It does so for every
     * game, from the JSON; your game has its view as a type, Protocol.View.
     */
    private static String deployment(Json view) {
        var ranks = new ArrayList<String>();
        int places;
        if (view.has("army")) { // how many there are of each rank; in siege, one of three armies
            var army = view.get("army");
            var own = army.has("garrison") ? army.get("garrison") : army;
            own.fields().forEach((rank, count) -> ranks.addAll(Collections.nCopies((int) count.number(), rank)));
            places = ranks.size();
        } else { // cards
            var seat = view.get("seats").get(view.get("observer").text());
            seat.get("hand").items().forEach(card -> ranks.add(card.text()));
            places = Math.min(seat.get("line").items().size(), ranks.size());
        }
        Collections.shuffle(ranks, DICE);
        return String.join("", ranks.subList(0, places));
    }
}
