import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A first bot: any legal action of any variant. Copy the folder and replace the dice by a thought.
 *
 * <p>It searches each line for what it needs instead of reading all of the JSON. That is sound: the arena
 * writes no spaces between the parts of a line, and actions and ranks consist of letters, digits and signs
 * that JSON never escapes, so a text ends at the next quotation mark.
 */
public class Bot {
    private static final int CARDS_IN_LINE = 5;
    private static final Random DICE = new Random();

    public static void main(String[] arguments) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.contains("\"type\":\"start\"")) {
                DICE.setSeed(Long.parseLong(between(line, "\"rng_seed\":", ",")));
                System.out.println("{\"type\":\"ready\"}");
            } else if (line.contains("\"type\":\"act\"")) {
                var legal = split(between(line, "\"legal\":[\"", "\"]"), "\",\"");
                var action = legal.isEmpty() ? deployment(line) : legal.get(DICE.nextInt(legal.size()));
                System.out.println("{\"action\":\"" + action + "\"}");
            }
        }
    }

    /** Set-ups are too many to be listed: shuffle the army over its places, or some of the hand. */
    private static String deployment(String line) {
        var hand = split(between(line, "\"hand\":[\"", "\"]"), "\",\""); // at cards; the other hand is all null
        var army = between(line, "\"garrison\":{\"", "}"); // in a siege, one of several
        var ranks = new ArrayList<String>(hand);
        for (var part : split(army.isEmpty() ? between(line, "\"army\":{\"", "}") : army, ",\"")) { // such as B":6
            ranks.addAll(Collections.nCopies(Integer.parseInt(part.substring(3)), part.substring(0, 1)));
        }
        Collections.shuffle(ranks, DICE);
        return String.join("", hand.isEmpty() ? ranks : ranks.subList(0, Math.min(CARDS_IN_LINE, ranks.size())));
    }

    /** What stands between a mark and the next end; nothing where there is no mark. */
    private static String between(String line, String mark, String end) {
        int start = line.indexOf(mark);
        return start < 0 ? "" : line.substring(start + mark.length(), line.indexOf(end, start + mark.length()));
    }

    private static List<String> split(String list, String separator) {
        return list.isEmpty() ? List.of() : List.of(list.split(separator));
    }
}
