import { stackClient } from '#test/stack/mcp-client.js';
import { command } from '#test/support/command.js';
import { type HttpServer, startHttpServer } from '#test/support/http-server.js';
import { madeToken, type Profile } from './profile.js';

/** `serve` over the files of a home. @param env settings beside the home, such as the log level */
export async function startEmbedded(home: string, env: Readonly<Record<string, string>> = {}): Promise<Profile> {
  let server: HttpServer = await startHttpServer(home, env);
  let earlierLogs = '';
  const run: Profile['command'] = (args, options) => command(home, args, { ...options, env });
  return {
    name: 'embedded',
    client: (token) => stackClient(server.url, token),
    token: (options) => madeToken(run, options),
    command: run,
    async restart() {
      earlierLogs += server.log();
      await server.kill();
      server = await startHttpServer(home, env);
    },
    log: () => earlierLogs + server.log(),
    close: async () => void (await server.stop()),
  };
}
