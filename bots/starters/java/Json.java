import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A value of JSON, and a small reader of it (RFC 8259). */
public final class Json {
    private final Object value; // Map, List, String, Double, Boolean, or null

    private Json(Object value) {
        this.value = value;
    }

    /** Read a line of JSON. Throw IllegalArgumentException if it is none. */
    public static Json read(String line) {
        var reader = new Reader(line);
        var value = reader.value();
        reader.skip();
        if (reader.at < line.length()) {
            throw new IllegalArgumentException("something follows the JSON");
        }
        return value;
    }

    public boolean isNull() {
        return value == null;
    }

    public String text() {
        return (String) value;
    }

    public double number() {
        return (Double) value;
    }

    public boolean isTrue() {
        return Boolean.TRUE.equals(value);
    }

    /** Return the values of a list. */
    public List<Json> items() {
        var items = new ArrayList<Json>();
        for (Object each : (List<?>) value) {
            items.add((Json) each);
        }
        return items;
    }

    /** Return the values of an object by key, in their order. */
    public Map<String, Json> fields() {
        var fields = new LinkedHashMap<String, Json>();
        for (var each : ((Map<?, ?>) value).entrySet()) {
            fields.put((String) each.getKey(), (Json) each.getValue());
        }
        return fields;
    }

    public boolean has(String key) {
        return ((Map<?, ?>) value).containsKey(key);
    }

    /** Return the value of a key, or null where there is none. */
    public Json get(String key) {
        return (Json) ((Map<?, ?>) value).get(key);
    }

    private static final class Reader {
        private static final String LETTERS = "\"\\/bfnrt";
        private static final String MEANT = "\"\\/\b\f\n\r\t";
        private final String line;
        private int at = 0;

        Reader(String line) {
            this.line = line;
        }

        void skip() {
            while (at < line.length() && " \t\r\n".indexOf(line.charAt(at)) >= 0) {
                at++;
            }
        }

        Json value() {
            skip();
            switch (next()) {
                case '{':
                    return new Json(object());
                case '[':
                    return new Json(list());
                case '"':
                    return new Json(string());
                case 't':
                    return word("true", true);
                case 'f':
                    return word("false", false);
                case 'n':
                    return word("null", null);
                default:
                    return number();
            }
        }

        private char next() {
            if (at >= line.length()) {
                throw new IllegalArgumentException("the JSON ends too early");
            }
            return line.charAt(at);
        }

        private boolean takes(char mark) {
            skip();
            if (next() != mark) {
                return false;
            }
            at++;
            return true;
        }

        private void expect(char mark) {
            if (!takes(mark)) {
                throw new IllegalArgumentException("there must be a " + mark + " at " + at);
            }
        }

        private Map<String, Json> object() {
            var fields = new LinkedHashMap<String, Json>();
            expect('{');
            if (takes('}')) {
                return fields;
            }
            do {
                skip();
                var key = string();
                expect(':');
                fields.put(key, value());
            } while (takes(','));
            expect('}');
            return fields;
        }

        private List<Json> list() {
            var items = new ArrayList<Json>();
            expect('[');
            if (takes(']')) {
                return items;
            }
            do {
                items.add(value());
            } while (takes(','));
            expect(']');
            return items;
        }

        private String string() {
            var text = new StringBuilder();
            expect('"');
            while (next() != '"') {
                char sign = line.charAt(at++);
                if (sign != '\\') {
                    text.append(sign);
                    continue;
                }
                char letter = next();
                at++;
                if (letter == 'u') {
                    text.append((char) Integer.parseInt(line.substring(at, at + 4), 16));
                    at += 4;
                } else {
                    text.append(MEANT.charAt(LETTERS.indexOf(letter)));
                }
            }
            at++;
            return text.toString();
        }

        private Json word(String word, Object meant) {
            if (!line.startsWith(word, at)) {
                throw new IllegalArgumentException("an unknown word at " + at);
            }
            at += word.length();
            return new Json(meant);
        }

        private Json number() {
            int start = at;
            while (at < line.length() && "+-.eE0123456789".indexOf(line.charAt(at)) >= 0) {
                at++;
            }
            return new Json(Double.valueOf(line.substring(start, at)));
        }
    }
}
