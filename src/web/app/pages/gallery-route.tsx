import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { MailGalleryPage } from '#web/areas/mailbox/mail-gallery-page.tsx'

const galleryApi = getRouteApi('/sandbox/mail/gallery')

/** `/sandbox/mail/gallery`; the chosen message and its scene are in the address. */
export function GalleryRoute() {
  const { message, scene } = galleryApi.useSearch()
  const navigate = useNavigate()
  return (
    <MailGalleryPage
      sampleId={message}
      scene={scene}
      onChoose={(next) =>
        navigate({
          to: '/sandbox/mail/gallery',
          search: { ...(next.sampleId !== undefined && { message: next.sampleId }), scene: next.scene },
          resetScroll: false,
        })
      }
    />
  )
}
