/** What reads what a server of an owner sent. It answers in parts, none of which takes the reader of the answer long. */
export type Readings = Readonly<Record<string, (input: never) => Iterable<unknown> | AsyncIterable<unknown>>>

type PartOf<Answer> = Answer extends Iterable<infer Part> | AsyncIterable<infer Part> ? Part : never

/** Who asks for a reading, and how long it waits. */
export type Order = {
  /** Whose work it is: the others wait for one reading of it at a time. */
  readonly account: string
  /** A booking waits for it: it goes first, and one that takes long is given up. Source: rule G7. */
  readonly isQuestion?: boolean
  readonly signal?: AbortSignal
}

/** Does one reading of a table and returns all parts of the answer. @throws CalendarProviderError */
export type Read<Table extends Readings> = <Name extends keyof Table & string>(
  name: Name,
  input: Parameters<Table[Name]>[0],
  order: Order,
) => Promise<PartOf<ReturnType<Table[Name]>>[]>

/** The first part of an answer that has one part. */
export function onlyPart<Part>([part]: readonly Part[]): Part {
  if (part === undefined) throw new Error('A reading gave no answer.')
  return part
}
