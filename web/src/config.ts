// What only the deployment knows, from /config.json.
export type Config = {
  samples: boolean;
  signIn: { endpoint: string; clientId: string; username?: string; password?: string };
};

const LATER_MS = 2_000;

async function load(): Promise<Config> {
  for (;;) {
    try {
      const answer = await fetch("config.json", { credentials: "same-origin" });
      if (answer.ok) return (await answer.json()) as Config;
    } catch {
      // Offline: the page itself came from the browser's cache.
    }
    await new Promise((wake) => setTimeout(wake, LATER_MS));
  }
}

export const config: Promise<Config> = load();
