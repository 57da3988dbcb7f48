import { NavLink, Outlet, ScrollRestoration, useNavigation, useRevalidator } from 'react-router';
import type { Me } from '../../../../identity/src/manage/answers.ts';
import { isOffice, may, useMe } from '../../me.ts';
import { paths, serviceAddresses } from '../../paths.ts';
import { currentLocale, languageChoices, storeLanguage, t } from '../../texts/texts.ts';
import styles from './frame.module.css';

/** The header, the navigation and the screen. Who looks after a single site has no navigation, only the site's tabs. */
export function Frame() {
  const me = useMe();
  const { state } = useNavigation();
  return (
    <>
      <a className={styles.skip} href="#main">
        {t('frame.skip')}
      </a>
      <header className={styles.header}>
        <span className={styles.product}>Anteroom</span>
        <Navigation me={me} />
        <div className={styles.who}>
          {!isOffice(me) && <LanguageChoice />}
          <a href={serviceAddresses.account}>
            <bdi>{me.user.name}</bdi> <span className={styles.hiddenText}>{t('frame.account')}</span>
          </a>
          <a href={serviceAddresses.signOut}>{t('frame.signOut')}</a>
        </div>
      </header>
      {state === 'loading' && <progress className={styles.pending} aria-label={t('frame.loading')} />}
      <main id="main" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      <ScrollRestoration />
    </>
  );
}

function linksOf(me: Me): { to: string; text: string }[] {
  if (!isOffice(me)) {
    if (me.sites.length < 2) return [];
    return me.sites.map(({ name, displayName }) => ({ to: paths.sitePeople(name), text: displayName }));
  }
  const links = [
    { to: paths.home(), text: t('nav.search'), operation: 'users:read' },
    { to: paths.resource('sites'), text: t('nav.sites'), operation: 'sites:read' },
    { to: paths.resource('connections'), text: t('nav.connections'), operation: 'connections:read' },
    { to: paths.resource('clients'), text: t('nav.clients'), operation: 'clients:read' },
    { to: paths.audit(), text: t('nav.audit'), operation: 'audit:read' },
    { to: paths.roles(), text: t('nav.roles'), operation: 'roles:write' },
  ] as const;
  return links.filter(({ operation }) => may(me, operation));
}

function Navigation({ me }: { me: Me }) {
  const links = linksOf(me);
  if (links.length === 0) return null;
  return (
    <nav aria-label={t('frame.navigation')} className={styles.navigation}>
      <ul>
        {links.map(({ to, text }) => (
          <li key={to}>
            <NavLink to={to} end={to === '/'}>
              <bdi>{text}</bdi>
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function LanguageChoice() {
  const { revalidate } = useRevalidator();
  return (
    <select
      aria-label={t('frame.language')}
      value={currentLocale()}
      onChange={({ target }) => {
        storeLanguage(target.value);
        void revalidate();
      }}
    >
      {languageChoices.map(({ locale, name }) => (
        <option key={locale} value={locale} lang={locale}>
          {name}
        </option>
      ))}
    </select>
  );
}
