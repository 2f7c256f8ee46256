import { ButtonLink } from '#web/ui/button.tsx'
import { ExternalLink } from '#web/ui/icons/external-link.ts'
import { Notice } from '#web/ui/notice.tsx'

/** Says that a provider is a stand-in, and leads to its page on which a person adds events. */
export function SandboxNotice({ provider, page }: { provider: string; page: string }) {
  return (
    <Notice
      action={
        <ButtonLink size="sm" href={page} target="_blank" rel="noopener">
          <ExternalLink aria-hidden="true" className="size-4" />
          Open its calendar
          <span className="sr-only">({provider})</span>
        </ButtonLink>
      }
    >
      Sandbox: a calendar to try things with. You can add, move and delete events there.
    </Notice>
  )
}
