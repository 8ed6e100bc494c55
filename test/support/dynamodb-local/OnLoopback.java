import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Runs DynamoDB Local in memory on a free port of the loopback interface. By default it listens on every interface. */
class OnLoopback {
  public static void main(String[] args) throws Exception {
    var dynamodb =
        ServerRunner.createServerFromCommandLineArgs(
            new String[] {"-inMemory", "-disableTelemetry"});
    var field = dynamodb.getClass().getDeclaredField("server");
    field.setAccessible(true);
    var connector = (ServerConnector) ((Server) field.get(dynamodb)).getConnectors()[0];
    connector.setHost("127.0.0.1");
    connector.setPort(0);
    dynamodb.safeStart();
    System.out.println("http://127.0.0.1:" + connector.getLocalPort());
    // Standard input closes when the parent process ends.
    System.in.read();
    System.exit(0);
  }
}
