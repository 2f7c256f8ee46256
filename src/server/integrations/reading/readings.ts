/** Functions that read the answer of an owner's server. Each result comes in parts that are quickly passed on. */
export type Readings = Readonly<Record<string, (input: never) => Iterable<unknown> | AsyncIterable<unknown>>>

type PartOf<Answer> = Answer extends Iterable<infer Part> | AsyncIterable<infer Part> ? Part : never

/** How a reading is asked for. */
export type Order = {
  /** The account that the work counts for. */
  readonly account: string
  /** A booking waits for the result: it goes first, and is given up when it takes long. Source: rule G7. */
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
export function getOnlyPart<Part>([part]: readonly Part[]): Part {
  if (part === undefined) throw new Error('A reading gave no answer.')
  return part
}
