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
            var message = Json.read(line);
            switch (message.get("type").text()) {
                case "start":
                    DICE.setSeed((long) message.get("rng_seed").number());
                    System.out.println("{\"type\":\"ready\"}");
                    break;
                case "act":
                    System.out.println("{\"action\":\"" + action(message) + "\"}");
                    break;
                default: // "end" needs no answer
            }
        }
    }

    private static String action(Json message) {
        if (!message.has("legal")) { // too many to list
            return deployment(message.get("view"));
        }
        var legal = message.get("legal").items();
        return legal.get(DICE.nextInt(legal.size())).text();
    }

    /** Shuffle the army over its places, or put some of the hand into the line. */
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
