import java.io.BufferedReader;
import java.io.InputStreamReader;
import org.openapitools.codegen.OpenAPIGenerator;

/** Runs the generator once per line of the standard input, which has its arguments between tabs. Starting it takes most of its time. */
class Generate {
  public static void main(String[] args) throws Exception {
    var input = new BufferedReader(new InputStreamReader(System.in));
    for (var line = input.readLine(); line != null; line = input.readLine()) {
      OpenAPIGenerator.main(line.split("\t"));
    }
  }
}
