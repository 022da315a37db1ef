/** The client of the language server: how it is started, and what it shows in ways of its own. */

import * as vscode from "vscode";
import {
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  ShowMessageRequest,
} from "vscode-languageclient/node";

import { type Limits, serverCommand, serverSettings, startFailure } from "./pure/settings";

/** More answers than these are not shown as buttons. */
const MOST_BUTTONS = 3;

/** Carries out a command of the server in another way; undefined leaves it to the server. */
export type Shower = (argument: unknown) => Promise<unknown>;

function limits(): Limits {
  const settings = vscode.workspace.getConfiguration("fairlead.limits");
  return {
    timeout: settings.get<number | null>("timeout", 60),
    maxMemory: settings.get<string | null>("maxMemory", "2G"),
    maxStates: settings.get<number | null>("maxStates", 5_000_000),
  };
}

/** Starts the server. Says why, and gives undefined, if that is not possible. */
export async function startClient(showers: Map<string, Shower>): Promise<LanguageClient | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const command = serverCommand(vscode.workspace.getConfiguration("fairlead").get("server.command"), folder);
  if (typeof command === "string") {
    void vscode.window.showErrorMessage(command);
    return undefined;
  }
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "csp" }, { language: "fsp" }],
    initializationOptions: { ...serverSettings(limits()), verdicts: ["lenses"] },
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    middleware: {
      executeCommand: async (name, given, next) => {
        const show = showers.get(name);
        return show === undefined ? next(name, given) : show(given[0]);
      },
    },
  };
  const executable = folder === undefined ? command : { ...command, options: { cwd: folder } };
  const client = new LanguageClient("fairlead", "fairlead", executable, options);
  try {
    await client.start();
  } catch (error) {
    const chosen = vscode.window.showErrorMessage(startFailure(command, String(error)), "Settings");
    void chosen.then((answer) => {
      if (answer !== undefined) {
        void vscode.commands.executeCommand("workbench.action.openSettings", "fairlead.server.command");
      }
    });
    return undefined;
  }
  // the server asks for a notion of fairness: there are too many for buttons
  client.onRequest(ShowMessageRequest.type, async ({ message, actions }) => {
    const titles = (actions ?? []).map((action) => action.title);
    const chosen =
      titles.length > MOST_BUTTONS
        ? await vscode.window.showQuickPick(titles, { placeHolder: message })
        : await vscode.window.showInformationMessage(message, ...titles);
    return chosen === undefined ? null : { title: chosen };
  });
  return client;
}

/** Tells the server that settings have changed. */
export function sendSettings(client: LanguageClient): void {
  const settings = { fairlead: serverSettings(limits()) };
  void client.sendNotification("workspace/didChangeConfiguration", { settings });
}

/** Has the server carry out a command. */
export async function execute<T>(
  client: LanguageClient,
  command: string,
  argument: object,
  token?: vscode.CancellationToken,
): Promise<T> {
  return client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] }, token) as Promise<T>;
}
