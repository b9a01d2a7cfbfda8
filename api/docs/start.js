/* global SwaggerUIBundle */
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  // The default asks a server of the renderer's makers to validate the document.
  validatorUrl: null,
});
