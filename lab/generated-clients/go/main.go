// Does what the tests ask for: a command per line of the standard input, and its result per line of the standard output.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"

	client "github.com/GIT_USER_ID/GIT_REPO_ID"
)

type command struct {
	Decode                                               string
	Call, BaseURL, AppID, IDToken, DeviceID, RequestDate, Language string
	JSON, Request                                        json.RawMessage
}

type result map[string]any

func main() {
	input := bufio.NewReader(os.Stdin)
	output := json.NewEncoder(os.Stdout)
	for {
		line, err := input.ReadBytes('\n')
		if err == io.EOF {
			return
		}
		answer, err := run(line)
		if err != nil {
			answer = result{"failure": err.Error()}
		}
		if err := output.Encode(answer); err != nil {
			panic(err)
		}
	}
}

func run(line []byte) (result, error) {
	var command command
	if err := json.Unmarshal(line, &command); err != nil {
		return nil, err
	}
	if command.Decode != "" {
		return decode(command)
	}
	return call(command)
}

// Decodes a value of a schema. Returns it as the client encodes it again.
func decode(command command) (result, error) {
	values := map[string]any{
		"ApplyPromoCodeEnvelope": &client.ApplyPromoCodeEnvelope{},
		"ConfigurationResult":    &client.ConfigurationResult{},
		"ErrorEnvelope":          &client.ErrorEnvelope{},
		"GetConfigEnvelope":      &client.GetConfigEnvelope{},
		"UnauthorizedEnvelope":   &client.UnauthorizedEnvelope{},
	}
	value := values[command.Decode]
	if err := json.Unmarshal(command.JSON, value); err != nil {
		return nil, err
	}
	configuration, ok := value.(*client.ConfigurationResult)
	if !ok {
		return result{"value": value}, nil
	}
	isUnknown := func(field client.Field) bool { return field.GetActualInstance() == nil }
	configuration.Fields = slices.DeleteFunc(configuration.Fields, isUnknown)
	kinds := []string{}
	for _, field := range configuration.Fields {
		kinds = append(kinds, kindOf(field))
	}
	return result{"value": value, "kinds": kinds}, nil
}

// Calls an operation. Returns the response, or the decoded error with the status.
func call(command command) (result, error) {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: command.BaseURL}}
	api := client.NewAPIClient(configuration).DefaultAPI
	keys := map[string]client.APIKey{"appId": {Key: command.AppID}}
	ctx := context.WithValue(context.Background(), client.ContextAPIKeys, keys)
	ctx = context.WithValue(ctx, client.ContextAccessToken, command.IDToken)
	var value any
	var response *http.Response
	var err error
	if command.Call == "getConfig" {
		var request client.GetConfigRequest
		if err := json.Unmarshal(command.Request, &request); err != nil {
			return nil, err
		}
		value, response, err = api.GetConfig(ctx).DeviceId(command.DeviceID).RequestDate(command.RequestDate).AcceptLanguage(command.Language).GetConfigRequest(request).Execute()
	} else {
		var request client.ApplyPromoCodeRequest
		if err := json.Unmarshal(command.Request, &request); err != nil {
			return nil, err
		}
		value, response, err = api.ApplyPromoCode(ctx).DeviceId(command.DeviceID).RequestDate(command.RequestDate).ApplyPromoCodeRequest(request).Execute()
	}
	var refused *client.GenericOpenAPIError
	if errors.As(err, &refused) && refused.Model() != nil {
		return result{"error": refused.Model(), "status": response.StatusCode}, nil
	}
	return result{"value": value}, err
}

// The type that a field was decoded as, such as `ComboField(TextSubField,DropSubField)`.
func kindOf(field client.Field) string {
	name := typeName(field.GetActualInstance())
	if field.ComboField == nil {
		return name
	}
	inputs := []string{typeName(field.ComboField.SubFieldA.GetActualInstance()), typeName(field.ComboField.SubFieldB.GetActualInstance())}
	return name + "(" + strings.Join(inputs, ",") + ")"
}

func typeName(value any) string {
	name := fmt.Sprintf("%T", value)
	return name[strings.LastIndex(name, ".")+1:]
}
