/** Cases of other people's suites that fail here. The goal is empty lists; a case that passes must leave its list. */
export const knownFailures: {
  readonly jsonParsing: readonly string[];
  readonly jsonSchema: readonly string[];
  readonly protobuf: readonly string[];
  readonly reports: readonly string[];
  readonly interop: readonly string[];
} = {
  jsonParsing: [],
  jsonSchema: [],
  protobuf: [],
  reports: [],
  interop: [],
};
