import type { CalendarProvider } from '#server/ports/external-calendar.ts'

/**
 * A provider whose address an owner types, with its libraries loaded at their first use and not when the product starts.
 */
export function buildLaterProvider(
  load: () => Promise<CalendarProvider>,
  { canWrite }: { readonly canWrite: boolean },
): CalendarProvider {
  let loading: Promise<CalendarProvider> | null = null
  const provider = () => {
    loading ??= load()
    return loading
  }
  const connect = async () => getPart((await provider()).connect)
  const events = async () => getPart((await provider()).events)
  return {
    isSandbox: false,
    authorization: null,
    push: null,
    connect: async (typed) => (await connect())(typed),
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
  }
}

function getPart<Part>(part: Part | null): Part {
  if (part === null) throw new Error('The provider lacks what it was announced to have.')
  return part
}
