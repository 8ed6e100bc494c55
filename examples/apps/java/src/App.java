import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.DefaultApi;
import org.openapitools.client.model.ApplyPromoCodeRequest;
import org.openapitools.client.model.ComboField;
import org.openapitools.client.model.DropField;
import org.openapitools.client.model.DropSubField;
import org.openapitools.client.model.ErrorEnvelope;
import org.openapitools.client.model.Field;
import org.openapitools.client.model.GetConfigRequest;
import org.openapitools.client.model.SubField;
import org.openapitools.client.model.TextField;
import org.openapitools.client.model.TextSubField;

public final class App {
  private static final int GIVE_UP_AFTER_SECONDS = 30;
  private static final int LONGEST_PAUSE_MS = 8_000;

  public static void main(String[] args) {
    var exitCode = 0;
    try {
      run();
    } catch (Exception exception) {
      System.err.println(exception.getMessage());
      exitCode = 1;
    }
    // Threads of OkHttp would keep the program running for a minute.
    System.exit(exitCode);
  }

  /** Gets what the app has to ask the customer, and applies a promo code to the customer's account. */
  private static void run() throws Exception {
    // Your app has these from the team that deployed the service, from Cognito and from the phone.
    var client = new ApiClient().setBasePath(setting("API_URL"));
    client.setApiKey("demo-app-key");
    client.setBearerToken(setting("ID_TOKEN"));
    var api = new DefaultApi(client);
    var deviceId = "00000000-0000-0000-0000-000000000000";

    var which = new GetConfigRequest().clientId("demo");
    var configuration = send(date -> api.getConfig(deviceId, date, which)).getData();
    for (var field : configuration.getFields()) System.out.println(describe(field));

    var request =
        new ApplyPromoCodeRequest()
            .clientId("demo")
            // What the customer entered.
            .promoCode(System.getenv().getOrDefault("PROMO_CODE", "JAVA26"))
            .userId("demo-user")
            .eventType("promo_applied")
            .source("profile");
    var applied = send(date -> api.applyPromoCode(deviceId, date, request)).getData();
    System.out.println(applied.getOutcome().getValue() + ": " + applied.getMessage());
  }

  /** A refusal by the service: {@code error.getData().getCode()} says what to do, as docs/api.md lists. */
  public static final class RefusedException extends Exception {
    public final ErrorEnvelope error;

    RefusedException(ErrorEnvelope error) {
      super(error.getData().getCode() + ": " + messagesOf(error));
      this.error = error;
    }

    private static String messagesOf(ErrorEnvelope error) {
      return error.getErrors().stream().map(entry -> entry.getMessage()).collect(Collectors.joining(" "));
    }
  }

  /** There is no response, or it is not from the service. */
  public static final class NoAnswerException extends Exception {
    NoAnswerException(Exception cause) {
      super("The service did not answer.", cause);
    }
  }

  interface Call<T> {
    T with(String requestDate) throws ApiException;
  }

  /**
   * Sends a request. If the response is lost or retryable, sends it again with the same date, by which the service
   * recognizes it, after a random pause of up to twice as long each time, and not before the {@code Retry-After} of
   * the response.
   */
  static <T> T send(Call<T> call) throws Exception {
    var started = Instant.now();
    for (int pause = 500; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      Exception failure;
      long retryAfterMs = 0;
      try {
        return Objects.requireNonNull(call.with(started.toString()), "The response has no body.");
      } catch (ApiException exception) {
        failure = failureOf(exception);
        retryAfterMs = retryAfterMs(exception.getResponseHeaders());
      } catch (RuntimeException notDecoded) {
        // Something in between has answered, such as with a page, which the client cannot decode.
        failure = new NoAnswerException(notDecoded);
      }
      var isRefused = failure instanceof RefusedException refused && !refused.error.getData().getRetryable();
      var waitMs = retryAfterMs + ThreadLocalRandom.current().nextInt(pause);
      var isLate = Instant.now().plusMillis(waitMs).isAfter(started.plusSeconds(GIVE_UP_AFTER_SECONDS));
      if (isRefused || isLate) throw failure;
      Thread.sleep(waitMs);
    }
  }

  /** The time before which the service wants no further request. */
  private static long retryAfterMs(Map<String, List<String>> headers) {
    if (headers == null) return 0;
    for (var header : headers.entrySet()) {
      if (!"Retry-After".equalsIgnoreCase(header.getKey()) || header.getValue().isEmpty()) continue;
      try {
        return TimeUnit.SECONDS.toMillis(Integer.parseInt(header.getValue().get(0)));
      } catch (NumberFormatException date) {
        // The service sends seconds.
        return 0;
      }
    }
    return 0;
  }

  /** The refusal in a response. If it is not from the service, it counts as lost. */
  private static Exception failureOf(ApiException exception) {
    try {
      return new RefusedException(JSON.deserialize(exception.getResponseBody(), ErrorEnvelope.class));
    } catch (RuntimeException notFromTheService) {
      return new NoAnswerException(exception);
    }
  }

  private static String describe(Field field) {
    var kind = field.getActualInstance();
    if (kind instanceof TextField text) return text.getFieldName() + ": " + describe(text.getSubFieldA());
    if (kind instanceof DropField drop) return drop.getFieldName() + ": " + describe(drop.getSubFieldA());
    var combo = (ComboField) kind;
    return combo.getFieldName() + ": " + describe(combo.getSubFieldA()) + " and " + describe(combo.getSubFieldB());
  }

  private static String describe(SubField input) {
    return input.getActualInstance() instanceof TextSubField text
        ? describe(text)
        : describe((DropSubField) input.getActualInstance());
  }

  private static String describe(TextSubField input) {
    return "text of at most " + input.getMaxChars() + " characters";
  }

  private static String describe(DropSubField input) {
    return input.getOptionsArray().stream()
        .map(option -> option.getDisplay())
        .collect(Collectors.joining(", ", "one of ", ""));
  }

  private static String setting(String name) {
    var value = System.getenv(name);
    if (value == null) throw new IllegalStateException("The variable " + name + " is not set.");
    return value;
  }
}
