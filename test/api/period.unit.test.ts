import { toDatabaseZone } from '../../api/period.ts';

describe("The database's name of a time zone", () => {
  const given = (name: string, ...database: string[]) => expect(toDatabaseZone(name, database));

  it('is another name of the same zone, if the database lacks the one of the browser', () => {
    given('Asia/Calcutta', 'Asia/Karachi', 'Asia/Kolkata').to.equal('Asia/Kolkata');
    given('Europe/Kiev', 'Europe/Kyiv', 'Europe/Moscow').to.equal('Europe/Kyiv');
    given('Europe/Kyiv', 'posix/Europe/Kyiv', 'Europe/Kiev').to.equal('Europe/Kiev');
    given('asia/tashkent', 'Asia/Samarkand', 'Asia/Tashkent').to.equal('Asia/Tashkent');
  });

  it('is never that of another zone', () => {
    given('Asia/Tashkent', 'Asia/Samarkand', 'Etc/GMT-5').to.equal(undefined);
  });

  it('is the name itself, if the database has it', () => {
    given('Asia/Calcutta', 'Asia/Kolkata', 'Asia/Calcutta').to.equal('Asia/Calcutta');
  });
});
