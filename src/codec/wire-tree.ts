/** A `google.protobuf.Value` as it came over the wire, with the offset where it was read. Members keep their order. */
export type WireTree = WireScalar | WireMembers | WireItems | WireUnset;

export interface WireScalar {
  readonly kind: "scalar";
  readonly value: null | boolean | number | string;
  readonly offset: number;
}

export interface WireMembers {
  readonly kind: "members";
  readonly members: Map<string, WireTree>;
  readonly offset: number;
}

export interface WireItems {
  readonly kind: "items";
  readonly items: WireTree[];
  readonly offset: number;
}

/** A Value without a kind. */
export interface WireUnset {
  readonly kind: "unset";
  readonly offset: number;
}
