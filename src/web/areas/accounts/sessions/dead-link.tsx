import { SESSION_PAGES } from '#contract/pages/app-pages.ts'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { AuthPage, TextLink } from './auth-page.tsx'

/** A page for a reset link that no longer works, and the way to a new one. */
export function DeadLink({ sentence }: { sentence: string }) {
  return (
    <AuthPage
      title={SESSION_PAGES['/reset-password']}
      below={<TextLink href={paths.login()}>Back to login</TextLink>}
    >
      <div className="flex flex-col gap-4">
        <Notice tone="danger" role="alert">
          {sentence}
        </Notice>
        <ButtonLink variant="primary" href={paths.forgotPassword()}>
          Ask for a new link
        </ButtonLink>
      </div>
    </AuthPage>
  )
}
