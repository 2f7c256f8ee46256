import { ButtonLink } from '#web/ui/button.tsx'
import { SunPathPicture } from '#web/ui/day-arc.tsx'
import { paths } from './paths.ts'

/** The 404 page, which shows the unknown path. Source: rule W1. */
export function PageNotFound({ path }: { path: string }) {
  return (
    <main className="mx-auto flex w-full max-w-2xl flex-1 flex-col items-center justify-center px-4 py-16 text-center">
      <SunPathPicture at={null} className="h-28 max-w-full" />
      <h1 className="mt-6 text-4xl">Page Not Found</h1>
      <p className="mt-3 max-w-full text-lg text-ink-soft">
        There’s no page at this address:
        <code className="mt-2 block font-mono text-base break-all text-ink">{path}</code>
      </p>
      <ButtonLink variant="primary" className="mt-8" href={paths.home()}>
        Go Home
      </ButtonLink>
    </main>
  )
}
