import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What the fields of a configuration mean: the rules of docs/api.md, "Show the fields". */
public final class Fields {
  private static final Set<String> FIELD_TYPES = Set.of("text", "drop", "combo");
  private static final Set<String> SUB_TYPES = Set.of("text", "drop");
  private static final Pattern AROUND = Pattern.compile("^[\\p{Zs}\\t\\r\\n]+|[\\p{Zs}\\t\\r\\n]+$");

  private Fields() {}

  public record Option(String value, String display) {}

  /** A text box or a dropdown, as the service sends it. */
  public record Input(
      String subType,
      String placeHolderText,
      boolean allowCopies,
      boolean alpha,
      boolean numbers,
      boolean symbols,
      int maxChars,
      List<Option> optionsArray) {}

  /** A field, as the service sends it. */
  public record Field(
      String id,
      String fieldType,
      String fieldName,
      boolean mandatory,
      List<String> appUIs,
      Boolean allowMultiple,
      String addButtonText,
      Input subFieldA,
      Input subFieldB) {

    public List<Input> inputs() {
      return fieldType.equals("combo") ? List.of(subFieldA, subFieldB) : List.of(subFieldA);
    }

    /** False for a kind that a later release has added. */
    public boolean isKnown() {
      return FIELD_TYPES.contains(fieldType)
          && inputs().stream().allMatch(input -> input.subType() != null && SUB_TYPES.contains(input.subType()));
    }
  }

  /** What is wrong with the answer to an input of an instance, both counted from 0. */
  public record Problem(String code, int instance, int input) {}

  /** Returns the fields of a screen, {@code register} or {@code profile}. */
  public static List<Field> fieldsFor(List<Field> fields, String ui) {
    return fields.stream()
        .filter(field -> field.isKnown() && (field.appUIs() == null || field.appUIs().contains(ui)))
        .toList();
  }

  /** Returns what a customer entered as it is checked and should be stored. The value of an option stays as it is. */
  public static String normalizedAnswer(Input input, String answer) {
    if (input.subType().equals("drop")) return answer;
    return AROUND.matcher(Normalizer.normalize(answer, Normalizer.Form.NFC)).replaceAll("");
  }

  /**
   * Checks the answers: a string per input, "" for none. If there is no problem, the app may submit them. An answer has
   * a problem for each rule that it breaks.
   */
  public static List<Problem> checkAnswers(Field field, List<List<String>> instances) {
    var rows = new ArrayList<List<String>>();
    for (var answers : instances.isEmpty() ? List.of(List.<String>of()) : instances) {
      var row = new ArrayList<String>();
      for (var input : field.inputs()) {
        row.add(normalizedAnswer(input, row.size() < answers.size() ? answers.get(row.size()) : ""));
      }
      rows.add(row);
    }
    var first = 0;
    while (first < rows.size() && isEmpty(rows.get(first))) first++;
    if (first == rows.size()) first = 0;
    var problems = new ArrayList<Problem>();
    for (var instance = 0; instance < rows.size(); instance++) {
      for (var at = 0; at < field.inputs().size(); at++) {
        for (var code : codesOf(field, rows, first, instance, at)) problems.add(new Problem(code, instance, at));
      }
    }
    return problems;
  }

  private static boolean isEmpty(List<String> row) {
    return row.stream().allMatch(String::isEmpty);
  }

  private static List<String> codesOf(Field field, List<List<String>> rows, int first, int instance, int at) {
    var input = field.inputs().get(at);
    var answer = rows.get(instance).get(at);
    if (answer.isEmpty()) {
      // An instance without any answer is not submitted.
      var isMissing = field.mandatory() && (instance == first || !isEmpty(rows.get(instance)));
      return isMissing ? List.of("missing") : List.of();
    }
    if (!Boolean.TRUE.equals(field.allowMultiple()) && instance != first) return List.of("tooMany");
    var codes = new ArrayList<String>();
    if (input.subType().equals("drop")) {
      if (input.optionsArray().stream().noneMatch(option -> option.value().equals(answer))) codes.add("noOption");
    } else {
      if (answer.codePointCount(0, answer.length()) > input.maxChars()) codes.add("tooLong");
      if (!answer.codePoints().allMatch(codePoint -> permits(input, codePoint))) codes.add("characters");
    }
    var isCopy = rows.subList(0, instance).stream().anyMatch(row -> row.get(at).equals(answer));
    if (isCopy && !input.allowCopies()) codes.add("copy");
    return codes;
  }

  private static boolean permits(Input input, int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL, Character.SURROGATE -> false;
      case Character.SPACE_SEPARATOR,
          Character.NON_SPACING_MARK,
          Character.COMBINING_SPACING_MARK,
          Character.ENCLOSING_MARK ->
          true;
      case Character.DECIMAL_DIGIT_NUMBER -> input.numbers();
      default -> Character.isLetter(codePoint) ? input.alpha() : input.symbols();
    };
  }
}
