import com.google.gson.JsonArray
import com.google.gson.JsonObject
import okhttp3.Call
import org.openapitools.client.apis.DefaultApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ApiResponse
import org.openapitools.client.infrastructure.Success
import org.openapitools.client.models.GetConfigRequest

/** The generated client, which also returns configurations with kinds of fields that its models refuse. */
class ConfigurationApi(baseUrl: String, http: Call.Factory = ApiClient.defaultClient) : DefaultApi(baseUrl, http) {
    /**
     * Calls `getConfig`, and returns the body as it came. Throws without a connection, and if something in between has answered,
     * but not if the service refuses the request.
     */
    fun getRawConfig(
        deviceId: String,
        requestDate: String,
        clientId: String,
        language: String,
        installationId: String? = null,
    ): ApiResponse<JsonObject?> {
        val config = getConfigRequestConfig(deviceId, requestDate, GetConfigRequest(clientId), language, installationId)
        val response = request<GetConfigRequest, JsonObject>(config)
        if (response is Success) check(response.data?.getAsJsonObject("data")?.get("fields") is JsonArray)
        return response
    }
}
