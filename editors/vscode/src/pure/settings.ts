/** What the settings of the user mean for the server. */

export interface Limits {
  timeout: number | null;
  maxMemory: string | null;
  maxStates: number | null;
}

export interface Command {
  command: string;
  args: string[];
}

/** The command of the server, or why there is none. */
export function serverCommand(setting: unknown, folder: string | undefined): Command | string {
  if (!Array.isArray(setting) || setting.length === 0 || !setting.every((part) => typeof part === "string")) {
    return "fairlead.server.command must be a list of texts, such as [\"fairlead\", \"lsp\"].";
  }
  const needsFolder = setting.some((part: string) => part.includes("${workspaceFolder}"));
  if (needsFolder && folder === undefined) {
    return "fairlead.server.command names ${workspaceFolder}, but no folder is open.";
  }
  const [command, ...args] = setting.map((part: string) => part.replaceAll("${workspaceFolder}", folder ?? ""));
  if (!command) {
    return "fairlead.server.command must begin with the name of a program.";
  }
  return { command, args };
}

/** The settings that the server is given. */
export function serverSettings(limits: Limits): { limits: Limits } {
  return { limits: { timeout: limits.timeout, maxMemory: limits.maxMemory, maxStates: limits.maxStates } };
}

/** What to do when the server cannot be started. */
export function startFailure(command: Command, reason: string): string {
  return (
    `The language server could not be started with '${[command.command, ...command.args].join(" ")}': ${reason}. ` +
    "Install it with: pip install 'fairlead[lsp]'. If it is in a virtual environment, set fairlead.server.command."
  );
}
