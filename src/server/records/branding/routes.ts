import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { brandingFileParams } from '#contract/calendars/branding.ts'
import { brandingOperations } from '#contract/calendars/branding-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { COUNT_AS_PUBLIC_READ } from '#server/platform/http/rate-limits.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import {
  type BrandingDeps,
  changeBranding,
  clearBranding,
  getBranding,
  getBrandingFile,
  getPublicBranding,
  makeLogo,
  previewBranding,
} from './use-cases.ts'

/**
 * Maximum size of a request with texts and custom CSS, in bytes. It fits texts of full length even if JSON escapes
 * every character with six bytes.
 */
const TEXT_BODY_LIMIT = 512 * 1024
/** Maximum size of a request with a logo, in bytes. It fits a logo of 2 MB in base64. */
const LOGO_BODY_LIMIT = 3 * 1024 * 1024

/** Routes for the branding of booking pages: the owner's settings, and the files that visitors' browsers load. */
export function brandingRoutes(deps: BrandingDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(brandingOperations.getPublicBranding),
      handler: ({ params }) => getPublicBranding(deps, params.slug),
    })

    app.route({
      ...toRoute(brandingOperations.getBranding),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getBranding(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(brandingOperations.updateBranding),
      bodyLimit: TEXT_BODY_LIMIT,
      // Check the session before the body is read, so that strangers cannot send large bodies.
      onRequest: async (request) => void (await signedIn(request)),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return changeBranding(deps, ownerId, request.params.id, request.body)
      },
    })

    app.route({
      ...toRoute(brandingOperations.clearBranding),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return clearBranding(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(brandingOperations.previewBranding),
      bodyLimit: TEXT_BODY_LIMIT,
      onRequest: async (request) => void (await signedIn(request)),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return previewBranding(deps, ownerId, request.params.id, request.body)
      },
    })

    app.route({
      ...toRoute(brandingOperations.makeLogo),
      bodyLimit: LOGO_BODY_LIMIT,
      onRequest: async (request) => void (await signedIn(request)),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return makeLogo(deps, ownerId, request.params.id, request.body)
      },
    })

    app.get<{ Params: Readonly<Record<string, string>> }>(
      '/branding/:calendar_id/:file',
      { schema: { hide: true }, config: COUNT_AS_PUBLIC_READ },
      async (request, reply) => {
        const params = brandingFileParams.safeParse(request.params)
        if (!params.success) throw new ProblemError('request.not_found')
        const { calendar_id: calendarId, file } = params.data
        const { contentType, content } = await getBrandingFile(deps, { calendarId, file })
        return reply
          .header('content-type', contentType)
          .header('cache-control', 'public, max-age=31536000, immutable')
          .send(content)
      },
    )
  }
}
