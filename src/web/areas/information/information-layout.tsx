import type { ReactNode } from 'react'

/** A section of an information page. `id` is the anchor for links to the section. */
export type InformationSection = { id: string; title: string; content: ReactNode }

type InformationLayoutProps = {
  title: string
  /** A summary of the page, in two or three sentences. */
  intro: ReactNode
  sections: readonly InformationSection[]
}

/** A page of text with a summary, a table of contents and sections. */
export function InformationLayout({ title, intro, sections }: InformationLayoutProps) {
  return (
    <main className="mx-auto w-full max-w-6xl flex-1 px-4 py-12 sm:px-6 lg:py-16">
      <h1 className="text-4xl sm:text-5xl">{title}</h1>
      <p className="mt-4 max-w-[65ch] text-lg text-ink-soft">{intro}</p>
      <div className="mt-8 gap-12 lg:mt-12 lg:grid lg:grid-cols-[13rem_minmax(0,65ch)]">
        <nav aria-labelledby="on-this-page" className="lg:sticky lg:top-8 lg:self-start">
          <h2 id="on-this-page" className="font-sans text-sm font-semibold text-ink-soft">
            On this page
          </h2>
          <ul className="mt-1 border-s border-line">
            {sections.map(({ id, title: label }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="-ms-px flex min-h-11 items-center border-s border-transparent ps-4 text-ink-soft hover:border-noon hover:text-ink"
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <article className={ARTICLE_CLASS}>
          {sections.map(({ id, title: heading, content }) => (
            <section
              key={id}
              aria-labelledby={id}
              className="border-t border-line pt-8 pb-10 lg:first:border-t-0 lg:first:pt-0"
            >
              <h2 id={id} className="scroll-mt-8 text-2xl">
                {heading}
              </h2>
              {content}
            </section>
          ))}
        </article>
      </div>
    </main>
  )
}

/** The CSS classes for the typography of all sections. */
const ARTICLE_CLASS =
  'mt-8 max-w-[65ch] lg:mt-0 [&_p]:mt-4 [&_p]:leading-7 [&_ul]:mt-4 [&_ul]:list-disc [&_ul]:ps-5 [&_li]:mt-2 [&_li]:leading-7 [&_li]:marker:text-noon-ink [&_p_a]:text-link [&_p_a]:underline [&_p_a]:underline-offset-4 [&_li_a]:text-link [&_li_a]:underline [&_li_a]:underline-offset-4 [&_h3]:mt-6 [&_h3]:text-xl'

type Fact = { term: string; text: ReactNode; note?: string }

/** A list of terms with descriptions, side by side on wide screens. */
export function DescriptionList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="mt-4 divide-y divide-line">
      {facts.map(({ term, text, note }) => (
        <div key={term} className="grid gap-x-6 gap-y-1 py-3.5 sm:grid-cols-[15rem_minmax(0,1fr)]">
          <dt className="font-semibold wrap-anywhere">{term}</dt>
          <dd className="text-ink-soft">
            {text}
            {note !== undefined && <span className="mt-1 block text-sm">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
