import type { FetchOwnerUrl } from '#server/platform/http/fetch-owner-url.ts'
import type { AllowedNetworks } from '#server/platform/http/reachable-networks.ts'

/** Builds the function that fetches URLs entered by owners. Its library is loaded on first use. */
export function buildLazyOwnerUrlFetcher(allowedNetworks: AllowedNetworks): FetchOwnerUrl {
  let loading: Promise<FetchOwnerUrl> | null = null
  const load = async () => {
    const { buildOwnerUrlFetcher } = await import('#server/platform/http/fetch-owner-url.ts')
    return buildOwnerUrlFetcher({ allowedNetworks })
  }
  return async (url, request) => {
    loading ??= load()
    return (await loading)(url, request)
  }
}
