import { QueryClientProvider } from "@tanstack/preact-query";
import { render } from "preact";
import "./theme";
import { App } from "./app";
import { Boundary } from "./boundary";
import { client } from "./queries";

const root = document.getElementById("page");
if (root) {
  render(
    <QueryClientProvider client={client}>
      <Boundary whole><App /></Boundary>
    </QueryClientProvider>,
    root,
  );
}
