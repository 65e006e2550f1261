import { afterAll, afterEach } from "vitest";

type Remember = <T extends { close(): unknown }>(resource: T) => T;

/** Gives a function that remembers what to close after a test, last first. */
export function createClosing(): Remember {
  return closingWhen(afterEach);
}

/** Gives a function that remembers what to close after all tests around it. */
export function createClosingAtEnd(): Remember {
  return closingWhen(afterAll);
}

function closingWhen(hook: (close: () => Promise<void>) => void): Remember {
  const open: { close(): unknown }[] = [];
  hook(async () => {
    for (const resource of open.splice(0).reverse()) await resource.close();
  });
  return (resource) => {
    open.push(resource);
    return resource;
  };
}
