import type { DescExtension, DescMessage, Message, UnknownField } from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { Any } from "@bufbuild/protobuf/wkt";
import { concatBytes } from "./concat-bytes.js";
import type { MessagePlan } from "./message-plan.js";
import type { Crumb } from "./place.js";
import { deepestMessage, type Embedding, getSlot, type SiteField, type SiteWalk, setSlot } from "./site.js";
import { structKindOf } from "./struct-kind.js";

/** Levels of nesting that an Any counts as: protobuf-es takes it apart and puts it together with far more stack. */
const anyDepth = 10;

type Close = () => Uint8Array;

/** Visit what is packed in an Any. */
export function visitAny(
  walk: SiteWalk,
  site: SiteField,
  holder: object,
  key: string | number,
  crumb: Crumb | undefined,
  depth: number,
): void {
  const any = getSlot(holder, key) as Any;
  const desc = walk.embedding?.registry.getMessage(typeNameOf(any));
  if (desc === undefined || !(any.value instanceof Uint8Array)) return;
  // Types with a JSON form of their own are a member beside "@type".
  const isMember = structKindOf(desc) !== undefined || isAny(desc);
  const inner = isMember ? { parent: crumb, key: "value", isData: false } : crumb;
  const close = openEmbedded(walk, site, desc, any.value, inner, depth + anyDepth);
  if (close !== undefined) walk.closings.push(() => setSlot(holder, key, { ...any, value: close() }));
}

function typeNameOf({ typeUrl }: Any): string {
  return typeof typeUrl === "string" ? typeUrl.slice(typeUrl.lastIndexOf("/") + 1) : "";
}

function isAny(desc: DescMessage): boolean {
  return desc.typeName === "google.protobuf.Any";
}

/** Visit the extensions of a message, which it keeps as unknown fields. */
export function visitExtensions(
  walk: SiteWalk,
  { desc }: MessagePlan,
  message: Message,
  parent: Crumb | undefined,
  depth: number,
): void {
  const { registry } = walk.embedding ?? {};
  for (const number of new Set(message.$unknown?.map(({ no }) => no))) {
    const extension = registry?.getExtensionFor(desc, number);
    if (extension?.message === undefined) continue;
    const crumb = { parent, key: extension.jsonName, isData: false };
    visitExtension(walk, extension, extension.message, message, crumb, depth);
  }
}

function visitExtension(
  walk: SiteWalk,
  extension: DescExtension,
  desc: DescMessage,
  message: Message,
  crumb: Crumb,
  depth: number,
): void {
  const fields = message.$unknown?.filter(({ no }) => no === extension.number) ?? [];
  // Groups are left to protobuf-es.
  if (fields.some(({ wireType }) => wireType !== WireType.LengthDelimited)) return;
  const site: SiteField = { name: extension.typeName, field: extension, message };
  const isList = extension.fieldKind === "list";
  const contents = fields.map(({ data }) => new BinaryReader(data).bytes());
  const values = isList ? contents : [concatBytes(contents)];
  const closes = values.map((bytes, key) => {
    const inner = isList ? { parent: crumb, key, isData: false } : crumb;
    return openEmbedded(walk, site, desc, bytes, inner, depth + 1) ?? (() => bytes);
  });
  walk.closings.push(() => replaceFields(message, extension.number, closes));
}

/** Put the values of an extension where its first one was. */
function replaceFields(message: Message, no: number, closes: readonly Close[]): void {
  const fields = message.$unknown ?? [];
  const first = fields.findIndex((field) => field.no === no);
  const values = closes.map((close): UnknownField => {
    return { no, wireType: WireType.LengthDelimited, data: new BinaryWriter().bytes(close()).finish() };
  });
  message.$unknown = fields.flatMap((field, i) => (field.no !== no ? [field] : i === first ? values : []));
}

/** Open bytes and visit what is in them; undefined where no Struct can be. */
function openEmbedded(
  outer: SiteWalk,
  site: SiteField,
  desc: DescMessage,
  bytes: Uint8Array,
  crumb: Crumb | undefined,
  depth: number,
): Close | undefined {
  if (depth > deepestMessage) throw outer.tooDeep(crumb);
  const embedding = outer.embedding as Embedding;
  const kind = structKindOf(desc);
  if (kind !== undefined) {
    const holder = { content: embedding.openContent(kind, bytes) };
    outer.sites.push({ ...site, kind, holder, key: "content", crumb, embedded: true });
    return () => embedding.closeContent(kind, holder.content);
  }
  const plan = outer.planner.plan(desc);
  const message = plan.holdsStructs ? embedding.open(desc, bytes) : undefined;
  if (message === undefined) return undefined;
  // What was read from bytes is nobody else's, so it need not be copied.
  const walk: SiteWalk = { ...outer, copy: false, embedded: true };
  const holder = { message };
  if (isAny(desc)) visitAny(walk, site, holder, "message", crumb, depth);
  else walk.visitMessage(walk, plan, message, crumb, depth);
  return () => embedding.close(desc, holder.message);
}
