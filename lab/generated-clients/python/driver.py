"""Does what the tests ask for: a command per line of the standard input, and its result per line of the standard output."""

import json
import sys

import openapi_client as client


def decode(command):
    """Decodes a value of a schema. Returns it as the client encodes it again."""
    value = getattr(client, command["decode"]).from_dict(command["json"])
    result = {"value": value.to_dict()}
    if isinstance(value, client.ConfigurationResult):
        result["kinds"] = [kind_of(field.actual_instance) for field in value.fields]
    return result


def call(command):
    """Calls an operation. Returns the response, or the decoded error with the status."""
    configuration = client.Configuration(
        host=command["baseUrl"], access_token=command["idToken"], api_key={"appId": command["appId"]}
    )
    with client.ApiClient(configuration) as api_client:
        api = client.DefaultApi(api_client)
        headers = command["deviceId"], command["requestDate"]
        try:
            if command["call"] == "getConfig":
                request = client.GetConfigRequest.from_dict(command["request"])
                response = api.get_config(*headers, request, accept_language=command["language"])
            else:
                response = api.apply_promo_code(*headers, client.ApplyPromoCodeRequest.from_dict(command["request"]))
        except client.ApiException as exception:
            return {"error": exception.data.to_dict(), "status": exception.status}
    return {"value": response.to_dict()}


def kind_of(field):
    """The class that a field was decoded as, such as `ComboField(TextSubField,DropSubField)`."""
    name = type(field).__name__
    if not isinstance(field, client.ComboField):
        return name
    inputs = [type(one.actual_instance).__name__ for one in (field.sub_field_a, field.sub_field_b)]
    return f"{name}({','.join(inputs)})"


for line in sys.stdin:
    command = json.loads(line)
    try:
        result = decode(command) if "decode" in command else call(command)
    except Exception as exception:
        result = {"failure": str(exception)}
    print(json.dumps(result), flush=True)
