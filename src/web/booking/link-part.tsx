import { WaitingPage } from '#web/features/waiting/waiting-page.tsx'
import { ManagePart } from './manage-part.tsx'

type LinkPartProps = { page: 'manage' | 'waiting'; token: string }

/** The pages that links of emails open. They are one download, because the booking page has no room to name two. */
export function LinkPart({ page, token }: LinkPartProps) {
  return page === 'manage' ? <ManagePart token={token} /> : <WaitingPage token={token} />
}
