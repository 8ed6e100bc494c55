import com.google.gson.Gson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Prints what the rules of the example app make of a file of test vectors, as JSON. */
public final class Vectors {
  private record Configuration(List<Fields.Field> fields) {}

  private record Answer(String field, List<List<String>> instances) {}

  private record File(Configuration configuration, List<Answer> answers) {}

  public static void main(String[] args) throws Exception {
    var vectors = new Gson().fromJson(Files.readString(Path.of(args[0])), File.class);
    var fields = vectors.configuration().fields();
    var problems = vectors.answers().stream().map(answer -> Fields.checkAnswers(named(fields, answer.field()), answer.instances()));
    var shown = Map.of("register", shown(fields, "register"), "profile", shown(fields, "profile"));
    System.out.println(new Gson().toJson(Map.of("shown", shown, "problems", problems.toList())));
  }

  private static Fields.Field named(List<Fields.Field> fields, String id) {
    return fields.stream().filter(field -> field.id().equals(id)).findFirst().orElseThrow();
  }

  private static List<String> shown(List<Fields.Field> fields, String ui) {
    return Fields.fieldsFor(fields, ui).stream().map(Fields.Field::id).toList();
  }
}
