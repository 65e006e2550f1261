import { defineConfig } from "vitest/config";
import { SummaryReporter } from "./test/summary-reporter.js";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    reporters: ["default", new SummaryReporter()],
    testTimeout: 300_000,
  },
});
