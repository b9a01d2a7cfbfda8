/** Completes a single sign-on after the user enters the account's password, or the code of its second factor. */
import { getRouteApi, Link } from '@tanstack/react-router';
import { CodeField, Fields, PasswordField } from '../../components/field.tsx';
import { connectSso } from '../../server/login.ts';
import { texts } from '../../texts/index.ts';
import { AuthForm, EmailField } from './auth-form.tsx';
import { AuthPage } from './auth-page.tsx';

const route = getRouteApi('/link');
const { title: proofTitle } = texts.proof;
const words = texts.link;

export function LinkPage() {
  const { next, needs } = route.useSearch();
  const { sso } = route.useLoaderData();
  const email = decodeURIComponent(location.hash.slice(1));
  return (
    <AuthPage
      title={needs === 'code' ? proofTitle : words.title}
      subtitle={needs === 'code' ? words.codeSubtitle(email) : words.subtitle(email, sso?.name ?? '')}
      other={
        <Link to="/login" search={{ next }}>
          {texts.reset.back}
        </Link>
      }
    >
      <AuthForm
        submit={needs === 'code' ? texts.login.submit : words.submit}
        next={next}
        enter={({ password, code }) => connectSso({ ...(password && { password }), ...(code && { code }) })}
      >
        <Fields>
          <EmailField value={email} readOnly />
          {needs === 'code' ? (
            <CodeField autoFocus />
          ) : (
            <>
              <PasswordField name="password" label={texts.inputs.password} autoFocus />
              <Link to="/reset" className="note">
                {texts.login.forgot}
              </Link>
            </>
          )}
        </Fields>
      </AuthForm>
    </AuthPage>
  );
}
