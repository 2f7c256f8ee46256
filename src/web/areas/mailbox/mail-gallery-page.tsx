import { useQuery } from '@tanstack/react-query'
import { SANDBOX_PAGES } from '#contract/app-pages.ts'
import { type MailSampleScene, mailSampleScene } from '#contract/mailbox.ts'
import { useDocumentTitle } from '#web/kit/use-document-title.ts'
import { paths } from '#web/shared/paths.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { Select } from '#web/ui/select.tsx'
import { MailColumns } from './mail-columns.tsx'
import { MailMessage } from './mail-message.tsx'
import { mailPages, mailSampleQuery, mailSamplesQuery } from './mail-queries.ts'
import { SampleList } from './sample-list.tsx'

const SCENES = [
  { value: 'everyday', label: 'An everyday appointment' },
  { value: 'online', label: 'Online, paid, two zones' },
  { value: 'long', label: 'Long names and addresses' },
  { value: 'right_to_left', label: 'Right-to-left names' },
] as const satisfies readonly { value: MailSampleScene; label: string }[]

type GalleryChoice = { sampleId: string | undefined; scene: MailSampleScene }

type MailGalleryPageProps = {
  sampleId: string | undefined
  /** As the address has it. */
  scene: string | undefined
  onChoose: (choice: GalleryChoice) => void
}

/** Every message that the product sends, made by the code that makes the real ones. */
export function MailGalleryPage({ sampleId, scene: sceneInAddress, onChoose }: MailGalleryPageProps) {
  useDocumentTitle(SANDBOX_PAGES['/sandbox/mail/gallery'])
  const { data: samples, error, refetch } = useQuery(mailSamplesQuery)
  const scene = mailSampleScene.catch('everyday').parse(sceneInAddress)
  const shownId = sampleId ?? samples?.[0]?.id
  return (
    <main className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-4 px-4 sm:px-6 py-8">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0 flex-1 basis-96">
          <h1 className="text-3xl">Messages</h1>
          <p className="mt-1 text-ink-soft">
            Every message that Meridian sends, with made-up people. What was really written is in the{' '}
            <a href={paths.sandboxMail()} className="text-link underline underline-offset-4">
              mailbox
            </a>
            .
          </p>
        </div>
        <Select
          label="Shown with"
          className="w-full sm:w-72"
          options={SCENES}
          value={scene}
          onChange={(next) => onChoose({ sampleId, scene: next })}
        />
      </div>
      {samples === undefined && error === null && <LoadingState text="Loading messages..." />}
      {samples === undefined && error !== null && (
        <ErrorState title="Failed to load messages" hint={error.message} onRetry={() => refetch()} />
      )}
      {samples !== undefined && shownId !== undefined && (
        <MailColumns
          shows={sampleId === undefined ? 'list' : 'message'}
          list={
            <SampleList
              samples={samples}
              selectedId={shownId}
              onSelect={(id) => onChoose({ sampleId: id, scene })}
            />
          }
        >
          <Sample
            key={shownId}
            id={shownId}
            scene={scene}
            onBack={() => onChoose({ sampleId: undefined, scene })}
          />
        </MailColumns>
      )}
    </main>
  )
}

function Sample({ id, scene, onBack }: { id: string; scene: MailSampleScene; onBack: () => void }) {
  const query = useQuery(mailSampleQuery(id, scene))
  return (
    <MailMessage query={query} pagePath={mailPages.sample(id, scene)} backTo="All messages" onBack={onBack} />
  )
}
