import type { CalendarProvider } from './external-calendar.ts'

/** The properties of a provider that are known before its libraries are loaded. */
type KnownParts = Pick<CalendarProvider, 'isSandbox' | 'sandboxPage'> & {
  /** The synchronous part of the consent flow; null when the owner enters a URL or a password. */
  readonly authorization: Omit<NonNullable<CalendarProvider['authorization']>, 'completeAuthorization'> | null
  readonly canWrite: boolean
  readonly hasPush: boolean
}

/** Builds a provider whose adapter is loaded on first use rather than at startup, because its libraries are large. */
export function buildLazyCalendarProvider(
  load: () => Promise<CalendarProvider>,
  { authorization, canWrite, hasPush, ...known }: KnownParts,
): CalendarProvider {
  let loading: Promise<CalendarProvider> | null = null
  const provider = () => {
    loading ??= load()
    return loading
  }
  const connect = async () => getPart((await provider()).connect)
  const events = async () => getPart((await provider()).events)
  const push = async () => getPart((await provider()).push)
  return {
    ...known,
    authorization: authorization && {
      ...authorization,
      completeAuthorization: async (request) =>
        getPart((await provider()).authorization).completeAuthorization(request),
    },
    connect: authorization === null ? async (typed) => (await connect())(typed) : null,
    disconnect: async (access) => (await provider()).disconnect(access),
    listCalendars: async (access) => (await provider()).listCalendars(access),
    readChanges: async function* (access, request) {
      yield* (await provider()).readChanges(access, request)
    },
    readBusyTimes: async (access, request) => (await provider()).readBusyTimes(access, request),
    events: canWrite
      ? {
          create: async (access, externalId, appointment) =>
            (await events()).create(access, externalId, appointment),
          update: async (access, handle, appointment) => (await events()).update(access, handle, appointment),
          remove: async (access, handle) => (await events()).remove(access, handle),
          find: async (access, handle) => (await events()).find(access, handle),
        }
      : null,
    push: hasPush
      ? {
          subscribe: async (access, request) => (await push()).subscribe(access, request),
          unsubscribe: async (access, channel) => (await push()).unsubscribe(access, channel),
        }
      : null,
  }
}

function getPart<Part>(part: Part | null): Part {
  if (part === null) throw new Error('The provider lacks what it was announced to have.')
  return part
}
