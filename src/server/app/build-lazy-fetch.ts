import type { FetchTypedAddress } from '#server/platform/http/fetch-typed-address.ts'
import type { AllowedNetworks } from '#server/platform/http/reachable-networks.ts'

/** Builds the function that fetches URLs entered by owners. Its library is loaded on first use. */
export function buildLazyFetch(allowedNetworks: AllowedNetworks): FetchTypedAddress {
  let loading: Promise<FetchTypedAddress> | null = null
  const load = async () => {
    const { buildFetchTypedAddress } = await import('#server/platform/http/fetch-typed-address.ts')
    return buildFetchTypedAddress({ allowedNetworks })
  }
  return async (url, request) => {
    loading ??= load()
    return (await loading)(url, request)
  }
}
