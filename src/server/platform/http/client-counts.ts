import type { Clock } from '#server/platform/clock.ts'
import { type Client, NETWORK_SHARE } from './client-of.ts'
import type { AddRequestCounts } from './request-count.ts'
import { buildRequestCounts, type Counted, type RequestLimit } from './request-counts.ts'

/** A client, and the group of operations with a separate count. */
export type Requester = { readonly client: Client; readonly group: string }

type ClientLimit = Pick<RequestLimit, 'max' | 'windowMs'>

export type ClientCounts = {
  /** As in `RequestCounts`. `count` exceeds `max` when the client or its network has made too many requests. */
  readonly countHere: (requester: Requester, limit: ClientLimit) => Counted
  readonly countEverywhere: (requester: Requester, limit: ClientLimit) => Promise<Counted>
  readonly exchange: () => Promise<void>
}

/**
 * Counts each request for its client, and for the client's network if the client is within its limit. So a client
 * beyond its limit uses no more of its network's limit, and a network beyond its limit adds no clients to memory.
 * Networks and clients have separate stores: 65,536 new clients cannot evict their networks. Source: rule X6.
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
