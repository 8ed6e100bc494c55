package promocodes

import java.time.Clock
import java.time.Duration
import java.time.Instant
import okhttp3.OkHttpClient

/** The service answers within 20 seconds. */
private val TIMEOUT = Duration.ofSeconds(25)

/** The caller and the service. Keep one per signed-in customer: it remembers how far the clock is off. */
class Session(
    /** The base URL of the API: the output `ApiUrl` of a deployment. */
    internal val baseUrl: String,
    internal val appId: String,
    /** The advertising id from the app's first installation. If there is none, the service gets zeros. */
    internal val deviceId: String?,
    /** Returns this customer's current ID token, never another customer's; null if they are not signed in. */
    internal val idToken: () -> String?,
    /** Refreshes the tokens, so that [idToken] returns a new one. Called if the service says that it has expired. */
    private val refreshTokens: (() -> Unit)? = null,
    /** A client of the app, whose connections and proxy the queue uses. */
    http: OkHttpClient = OkHttpClient(),
    private val clock: Clock = Clock.systemUTC(),
) {
    /** Follows no redirect: another host would get the App-Id and the body. */
    internal val http: OkHttpClient =
        http.newBuilder().callTimeout(TIMEOUT).readTimeout(TIMEOUT).followRedirects(false).build()

    /** The lead of the server's clock over the phone's, and if the service has accepted a date with it. */
    internal class Lead(val ms: Long) {
        @Volatile var isRight = false
    }

    /** Null until the service has refused a date. */
    @Volatile internal var lead: Lead? = null
        private set

    /** The current time, corrected by the clock of earlier responses. */
    internal fun now(): Instant = Instant.ofEpochMilli(clock.millis() + (lead?.ms ?: 0))

    /**
     * Learns from the refusal of a date how far the clock is off. A lead that the service has never accepted is forgotten
     * when it is refused: the `Date` of its response may be that of a proxy.
     *
     * @param used the lead of the date; null if it was not corrected.
     */
    internal fun learn(used: Lead?, serverTime: Long?) {
        if (used != null && !used.isRight && used === lead) lead = null
        else if (serverTime != null) lead = Lead(serverTime - clock.millis())
    }

    /**
     * Refreshes the tokens, unless another request has replaced the expired one since.
     *
     * @return false if that is not possible now.
     */
    @Synchronized
    internal fun refresh(expired: String?): Boolean {
        val refresh = refreshTokens ?: return false
        return runCatching { if (idToken() == expired) refresh() }.isSuccess
    }
}
