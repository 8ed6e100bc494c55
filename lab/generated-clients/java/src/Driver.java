import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.DefaultApi;
import org.openapitools.client.model.ApplyPromoCodeRequest;
import org.openapitools.client.model.ComboField;
import org.openapitools.client.model.ConfigurationResult;
import org.openapitools.client.model.GetConfigRequest;
import org.openapitools.client.model.SubField;

/** Does what the tests ask for: a command per line of the standard input, and its result per line of the standard output. */
public final class Driver {
  private static final Gson GSON = JSON.getGson();

  public static void main(String[] args) throws Exception {
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    for (var line = input.readLine(); line != null; line = input.readLine()) {
      var command = JsonParser.parseString(line).getAsJsonObject();
      JsonObject result;
      try {
        result = command.has("decode") ? decode(command) : call(command);
      } catch (Exception exception) {
        result = new JsonObject();
        result.addProperty("failure", exception.toString());
      }
      output.println(result);
    }
  }

  /** Decodes a value of a schema. Returns it as the client encodes it again. */
  private static JsonObject decode(JsonObject command) throws Exception {
    return result("value", GSON.fromJson(command.get("json"), type(text(command, "decode"))));
  }

  /** Calls an operation. Returns the response, or the decoded error with the status. */
  private static JsonObject call(JsonObject command) throws Exception {
    var client = new ApiClient().setBasePath(text(command, "baseUrl"));
    client.setApiKey(text(command, "appId"));
    client.setBearerToken(text(command, "idToken"));
    var api = new DefaultApi(client);
    var deviceId = text(command, "deviceId");
    var date = text(command, "requestDate");
    var request = command.get("request");
    try {
      return switch (text(command, "call")) {
        case "getConfig" ->
            result(
                "value",
                // Without an installation id.
                api.getConfig(
                    deviceId, date, configRequest(request), text(command, "language"), null));
        default -> {
          var application = GSON.fromJson(request, ApplyPromoCodeRequest.class);
          yield result("value", api.applyPromoCode(deviceId, date, application));
        }
      };
    } catch (ApiException exception) {
      if (exception.getResponseBody() == null) throw exception;
      var error = GSON.fromJson(exception.getResponseBody(), type(text(command, "error")));
      var result = result("error", error);
      result.addProperty("status", exception.getCode());
      return result;
    }
  }

  private static GetConfigRequest configRequest(JsonElement request) {
    return GSON.fromJson(request, GetConfigRequest.class);
  }

  private static JsonObject result(String name, Object value) {
    var result = new JsonObject();
    result.add(name, GSON.toJsonTree(value));
    if (value instanceof ConfigurationResult configuration) {
      result.add(
          "kinds",
          GSON.toJsonTree(configuration.getFields().stream().map(field -> kindOf(field.getActualInstance())).toList()));
    }
    return result;
  }

  /** The class that a field was decoded as, such as {@code ComboField(TextSubField,DropSubField)}. */
  private static String kindOf(Object field) {
    var name = field.getClass().getSimpleName();
    if (!(field instanceof ComboField combo)) return name;
    return name + "(" + kindOf(combo.getSubFieldA()) + "," + kindOf(combo.getSubFieldB()) + ")";
  }

  private static String kindOf(SubField input) {
    return input.getActualInstance().getClass().getSimpleName();
  }

  /** The class of a schema. */
  private static Class<?> type(String schema) throws ClassNotFoundException {
    return Class.forName("org.openapitools.client.model." + schema);
  }

  private static String text(JsonObject command, String name) {
    return command.get(name).getAsString();
  }
}
