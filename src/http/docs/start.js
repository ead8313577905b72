// No validator: it is a host of others.
window.SwaggerUIBundle({ dom_id: "#page", url: "/v1/openapi.json", validatorUrl: null, deepLinking: true, docExpansion: "list", defaultModelsExpandDepth: 0 });
