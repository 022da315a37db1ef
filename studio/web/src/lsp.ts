// The language server, over a WebSocket: connects again when the server was away.
import { LSPClient, languageServerExtensions, type Transport } from "@codemirror/lsp-client";
import { harmless } from "./dom";
import { state } from "./state";

let client: LSPClient | null = null;
const handlers = new Set<(value: string) => void>();

/** The client; made when the page knows which folder it shows. */
export function language(): LSPClient {
  client ??= new LSPClient({
    rootUri: state.session.rootUri,
    initializationOptions: { verdicts: [] },
    timeout: 15000,
    sanitizeHTML: (html) => {
      const box = document.createElement("div");
      box.append(harmless(html));
      return box.innerHTML;
    },
    extensions: languageServerExtensions(),
    unhandledNotification: () => undefined,
  });
  return client;
}

export function connect(): void {
  const socket = new WebSocket(`ws://${location.host}/lsp`);
  const transport: Transport = {
    send: (message) => socket.send(published(message)),
    subscribe: (handler) => handlers.add(handler),
    unsubscribe: (handler) => handlers.delete(handler),
  };
  socket.onopen = () => {
    handlers.clear();
    language().connect(transport);
  };
  socket.onmessage = (event) => {
    for (const handler of handlers) handler(event.data);
  };
  socket.onclose = () => {
    if (language().connected) language().disconnect();
    setTimeout(connect, 1500);
  };
}

/* The client says that it asks for problems, but it only takes those that the server publishes. */
function published(message: string): string {
  const found = JSON.parse(message);
  if (found.method !== "initialize") return message;
  delete found.params.capabilities?.textDocument?.diagnostic;
  return JSON.stringify(found);
}

/** A request of our own, or null if the server is not there or refuses it. */
export async function request<T>(method: string, params: object): Promise<T | null> {
  try {
    const found = language();
    if (!found.connected) return null;
    await found.initializing;
    found.sync();
    return await found.request<object, T>(method, params);
  } catch {
    return null;
  }
}
