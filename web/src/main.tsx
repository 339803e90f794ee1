import { QueryClientProvider } from "@tanstack/preact-query";
import { render } from "preact";
import { App } from "./app";
import { client } from "./queries";

const root = document.getElementById("page");
if (root) {
  render(
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>,
    root,
  );
}
