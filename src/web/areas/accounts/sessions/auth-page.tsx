import type { ReactNode } from 'react'
import { useDocumentTitle } from '#web/kit/use-document-title.ts'

type AuthPageProps = {
  title: string
  /**
   * The title of the browser tab, if it differs from the heading. Must equal the title in `LOGIN_AND_REGISTRATION_PAGES`, which the server
   * sends.
   */
  documentTitle?: string
  subtitle?: ReactNode
  children: ReactNode
  /** A link to a related page, below the card. */
  below?: ReactNode
}

/** The layout of the login, registration and password pages. */
export function AuthPage({ title, documentTitle = title, subtitle, children, below }: AuthPageProps) {
  useDocumentTitle(documentTitle)
  return (
    <main className="mx-auto flex w-full max-w-md flex-1 flex-col px-4 pt-10 pb-16 sm:pt-16">
      <div className="mb-6 flex flex-col items-center text-center">
        <h1 className="text-3xl">{title}</h1>
        {subtitle !== undefined && <p className="mt-1 text-balance text-ink-soft">{subtitle}</p>}
      </div>
      <div className="rounded-card border border-line bg-surface p-5 shadow-card sm:p-6">{children}</div>
      {below && <p className="mt-4 text-center text-ink-soft">{below}</p>}
    </main>
  )
}

/** A link inside a sentence. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="rounded-sm font-semibold text-link underline underline-offset-4">
      {children}
    </a>
  )
}
