import { INFORMATION_PAGES } from '#contract/information-pages.ts'
import './site.css'
import { mount } from '#web/shared/mount.tsx'
import { readSitePageData } from '#web/shared/site-page-data.ts'
import { SiteApp } from './site-app.tsx'

const path = location.pathname
const site = readSitePageData()

if (Object.values(INFORMATION_PAGES).some((page) => page.path === path)) {
  void import('#web/features/information/information-page.tsx').then(({ InformationPage }) =>
    mount(<SiteApp path={path} site={site} InformationPage={InformationPage} />),
  )
} else mount(<SiteApp path={path} site={site} />)
