/** Rules of this project that oxlint does not have. */

const noVersioningBehavior = {
  create: (context) => ({
    "Property[key.name='versioningBehavior']": (node) => {
      const message = 'A worker without a build id could run no task of it: worker/start.ts says how runs are bound.';
      context.report({ node, message });
    },
  }),
};

/** A row's times come from PostgreSQL: another clock would put an end before its beginning. */
const databaseTime = {
  create: (context) => ({
    "NewExpression[callee.name='Date'][arguments.length=0]": (node) =>
      context.report({ node, message: "Take the database's time, `now()` of db/statements.ts." }),
  }),
};

export default {
  meta: { name: 'project' },
  rules: { 'no-versioning-behavior': noVersioningBehavior, 'database-time': databaseTime },
};
