import { runCaseTable } from "./case-table.js";

// The last line that a process prints is its report. A promise, since CommonJS has no await at its top.
runCaseTable().then((report) => console.log(JSON.stringify(report)));
