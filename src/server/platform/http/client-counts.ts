import type { Clock } from '#server/platform/clock.ts'
import { type Client, NETWORK_SHARE } from './client-of.ts'
import type { AddRequestCounts } from './request-count.ts'
import { buildRequestCounts, type Counted, type RequestLimit } from './request-counts.ts'

/** The client, and the group of operations that is counted by itself. */
export type Requester = { readonly client: Client; readonly group: string }

type ClientLimit = Pick<RequestLimit, 'max' | 'windowMs'>

export type ClientCounts = {
  /** As in `RequestCounts`. `count` is above `max` when the client or its network has asked too often. */
  readonly countHere: (requester: Requester, limit: ClientLimit) => Counted
  readonly countEverywhere: (requester: Requester, limit: ClientLimit) => Promise<Counted>
  readonly exchange: () => Promise<void>
}

/**
 * Counts each request for its client, and for the client's network when the client may ask. So a client that asks too
 * often uses up no more of its network than its own limit. A network that has used up its limit adds no clients to the
 * memory. Networks are kept apart from clients: 65,536 new clients do not push theirs out. Source: rule X6.
 */
export function buildClientCounts(options: { now: Clock; add: AddRequestCounts | null }): ClientCounts {
  const clients = buildRequestCounts(options)
  const networks = buildRequestCounts(options)

  return {
    countHere(requester, limit) {
      const ofNetwork = networkLimit(requester, limit)
      const usedUp = ofNetwork === null ? null : networks.findUsedUp(ofNetwork)
      if (usedUp !== null) return refused(usedUp, limit)
      const counted = clients.countHere(clientLimit(requester, limit))
      if (ofNetwork === null || counted.count > limit.max) return counted
      const together = networks.countHere(ofNetwork)
      return together.count > ofNetwork.max ? refused(together, limit) : counted
    },

    async countEverywhere(requester, limit) {
      const ofNetwork = networkLimit(requester, limit)
      const usedUp = ofNetwork === null ? null : networks.findUsedUp(ofNetwork)
      if (usedUp !== null) return refused(usedUp, limit)
      const counted = await clients.countEverywhere(clientLimit(requester, limit))
      if (ofNetwork === null || counted.count > limit.max) return counted
      const together = await networks.countEverywhere(ofNetwork)
      return together.count > ofNetwork.max ? refused(together, limit) : counted
    },

    async exchange() {
      await clients.exchange()
      await networks.exchange()
    },
  }
}

function clientLimit({ client, group }: Requester, limit: ClientLimit): RequestLimit {
  return { ...limit, key: client.address + group }
}

function networkLimit({ client, group }: Requester, { max, windowMs }: ClientLimit): RequestLimit | null {
  return client.network === null ? null : { key: client.network + group, max: max * NETWORK_SHARE, windowMs }
}

function refused({ endsInMs }: Counted, { max }: ClientLimit): Counted {
  return { count: max + 1, endsInMs }
}
