import { Page } from "./page.js";

// The page is static; this brings it to life.
void new Page().start();
